const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname);

/** Whether a request crossed a network unencrypted; a request to the loopback host crosses none. */
export const isPlainHttp = (url: string): boolean => url.startsWith("http:") && !isLoopback(url);
