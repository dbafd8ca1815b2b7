/** Requests that a load generator sends to an API, in turn. */
export interface Workload {
  name: string;
  /** The expected status code of every response. */
  status: number;
  /** Sent in this order; after the last request, the first is sent again. */
  requests: WorkloadRequest[];
}

export interface WorkloadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}
