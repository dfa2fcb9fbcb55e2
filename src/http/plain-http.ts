const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname);

/** Whether a request crossed a network unencrypted. A request to the loopback host doesn't cross one. */
export const isPlainHttp = (url: string): boolean => url.startsWith("http:") && !isLoopback(url);
