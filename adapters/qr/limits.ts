/** The most bytes and pixels of an image. */
export const MOST_BYTES = 8 * 1024 * 1024
export const MOST_PIXELS = 40_000_000

/** The most pixels per side. A decoder holds whole lines, so a long line costs much memory. */
export const MOST_SIDE = 20_000

/** Time limit of the search for codes on one image, in milliseconds. */
export const LOOK_WITHIN = 1_300

/** Time limit of one decoding step, in whole seconds. */
export const DECODE_WITHIN = 2

/** Time limit of an image in total before its process is ended, in milliseconds. */
export const READ_WITHIN = 2_200

/** Time limit for starting a process. */
export const START_WITHIN = 10_000

/** The most images that wait: in total, and of one account. */
export const MOST_WAITING = 24
export const MOST_OF_ONE = 6

/** How long an idle process is kept. */
export const IDLE_FOR = 20_000

/** The longest wait of an image for its turn. */
export const WAIT_WITHIN = 6_000
