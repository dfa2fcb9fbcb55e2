/** Returns the path of the settings page that changes a client's address. */
export const clientPath = (slug: string, clientId: string): string => `/settings/${slug}/clients/${clientId}`;
