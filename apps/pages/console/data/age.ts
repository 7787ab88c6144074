type Hear = (seconds: number) => void

const ages = new Map<string, number>()
let hear: Hear = () => {}

/** Records how old a path's response may be, from its header; null if it is current. */
export const noteAge = (path: string, seconds: string | null): void => {
  ages.set(path, Number(seconds ?? 0))
  hear(Math.max(...ages.values()))
}

/** Calls `then` with the possible age in seconds of responses from now on. */
export const onAge = (then: Hear): void => {
  ages.clear()
  hear = then
}
