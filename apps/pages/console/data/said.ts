type Hear = (text: string) => void
let hear: Hear = () => {}

/** Says to readers of screens what has happened; sighted readers see it. */
export const say = (text: string): void => hear(text)

/** Calls `then` with whatever is said. */
export const onSaid = (then: Hear): void => void (hear = then)
