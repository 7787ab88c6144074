/** The most bytes and pixels of an image. */
export const MOST_BYTES = 8 * 1024 * 1024
export const MOST_PIXELS = 40_000_000

/** The most pixels of a side: a decoder holds whole lines, so that a long line costs much. */
export const MOST_SIDE = 20_000

/** How long the process looks for codes on one image, in milliseconds. */
export const LOOK_WITHIN = 1_300

/** How long one step of decoding may take, in whole seconds. */
export const DECODE_WITHIN = 2

/** How long an image may take in all before its process is ended, in milliseconds. */
export const READ_WITHIN = 2_200

/** How long a process may take to begin. */
export const START_WITHIN = 10_000

/** How many images may wait for the one that is read: in all, and of one account. */
export const MOST_WAITING = 24
export const MOST_OF_ONE = 6

/** How long a process without work is kept. */
export const IDLE_FOR = 20_000

/** How long an image may wait for its turn. */
export const WAIT_WITHIN = 6_000
