/** Requests that a load generator sends to an API, in turn. */
export interface Workload {
  name: string;
  /** The expected status code of every response. */
  status: number;
  /** Sent one after the other, in a loop. */
  requests: WorkloadRequest[];
}

export interface WorkloadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}
