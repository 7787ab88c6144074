/** Words that are handled between two pauses: a few milliseconds. */
export const PIECE = 4_096

function* merged(a: ReadonlyArray<string>, b: ReadonlyArray<string>) {
  const all: Array<string> = []
  let [n, m] = [0, 0]
  while (n < a.length || m < b.length) {
    const [one, two] = [a[n], b[m]]
    if (one !== undefined && (two === undefined || one <= two)) {
      all.push(one)
      n += 1
    } else if (two !== undefined) {
      all.push(two)
      m += 1
    }
    if (all.length % PIECE === 0) yield undefined
  }
  return all
}

/** Returns the words in the order of `sort`. Yields after each piece of the work. */
export function* sortInPieces(
  words: Iterable<string>,
): Generator<undefined, ReadonlyArray<string>> {
  let runs: Array<ReadonlyArray<string>> = []
  let run: Array<string> = []
  for (const word of words) {
    run.push(word)
    if (run.length < PIECE) continue
    runs.push(run.sort())
    run = []
    yield undefined
  }
  runs.push(run.sort())
  while (runs.length > 1) {
    const pairs: typeof runs = []
    for (let n = 0; n < runs.length; n += 2) {
      pairs.push(yield* merged(runs[n] ?? [], runs[n + 1] ?? []))
    }
    runs = pairs
  }
  return runs[0] ?? []
}
