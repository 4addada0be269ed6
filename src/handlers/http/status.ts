/** Which HTTP statuses are answers. */
export const isGood = (status: number): boolean => status >= 200 && status < 300;
