/**
 * Does something synchronous while errors that are made note no stack. A world makes thousands of
 * them, which nobody reads where all is well: they cost it an eighth of its time.
 */
export const untraced = <A>(act: () => A): A => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return act()
  } finally {
    Error.stackTraceLimit = limit
  }
}
