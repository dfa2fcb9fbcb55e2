const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname);

/** Whether a request came unencrypted over a network; to the loopback host there is no network between. */
export const isPlainHttp = (url: string): boolean => url.startsWith("http:") && !isLoopback(url);
