/** The page of the settings that changes a client's address, without its origin. */
export const clientPath = (slug: string, clientId: string): string => `/settings/${slug}/clients/${clientId}`;
