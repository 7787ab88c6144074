/** How far the service's clock is ahead of the browser's, in milliseconds. */
let ahead = 0

/** Records the service's time, from the header of an answer. Null is no answer of the service. */
export const noteTime = (said: string | null): void => {
  const at = Date.parse(said ?? "")
  if (!Number.isNaN(at)) ahead = at - Date.now()
}

/** The service's time in milliseconds, by its last answer: that of a sandbox can be moved. */
export const serviceNow = (): number => Date.now() + ahead
