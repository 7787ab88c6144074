/** Makes a value on the first call, and keeps it. */
export const once = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}
