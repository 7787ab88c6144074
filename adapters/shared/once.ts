/** Makes something when it is first asked for, and keeps it. */
export const once = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}
