/** The version of payport, as its packages have it. */
export const VERSION = "0.1.0"
