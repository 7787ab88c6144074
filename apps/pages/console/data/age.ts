type Hear = (seconds: number) => void

const ages = new Map<string, number>()
let hear: Hear = () => {}

/** Notes how old what was answered at a path may be, as its header says; null where it is new. */
export const noteAge = (path: string, seconds: string | null): void => {
  ages.set(path, Number(seconds ?? 0))
  hear(Math.max(...ages.values()))
}

/** Calls `then` with the seconds that what is asked for from now on may be old. */
export const onAge = (then: Hear): void => {
  ages.clear()
  hear = then
}
