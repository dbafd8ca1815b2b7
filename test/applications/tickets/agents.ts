const agents = new Set([`Basic ${btoa('ann:secret')}`]);

export const isAgent = (header = '') => agents.has(header);
