type Hear = (text: string) => void
let hear: Hear = () => {}

/** Announces to screen readers what other readers see. */
export const say = (text: string): void => hear(text)

/** Calls `then` with every announcement. */
export const onSaid = (then: Hear): void => void (hear = then)
