/** Runs what has the same key one after the other, in the order of the calls. */
export const makeTurns = () => {
  const last = new Map<string, Promise<unknown>>()
  return <A>(key: string, run: () => Promise<A>): Promise<A> => {
    const next = (last.get(key) ?? Promise.resolve()).then(run)
    const ended = next.then(
      () => {},
      () => {},
    )
    last.set(key, ended)
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key)
    })
    return next
  }
}
