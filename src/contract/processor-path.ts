/** Where the payment processor sends its events. */
export const stripePath = "/processor/stripe";
