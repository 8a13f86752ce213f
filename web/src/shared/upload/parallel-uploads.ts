/** Files under way at once. Browsers open six connections to one host; one stays free. */
export const PARALLEL_UPLOADS = 5
