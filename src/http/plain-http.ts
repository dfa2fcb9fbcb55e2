/** A request that came unencrypted over a network; to the loopback host there is none between. */
export const plainHttp = /^http:\/\/(?!(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$))/;
