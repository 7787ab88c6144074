/**
 * Runs a synchronous function while errors record no stack. A world makes thousands of errors that
 * nobody reads if all is well; their stacks cost an eighth of its time.
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
