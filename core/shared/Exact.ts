type Fields<B> = Exclude<Extract<B, object>, ReadonlyArray<unknown>>

type KeyOf<B> = B extends unknown ? keyof B : never

type At<B, K extends PropertyKey> = B extends unknown ? (K extends keyof B ? B[K] : never) : never

/** `A`, in which every field that `B` does not have, at any depth, is `never`. */
export type Exact<A, B> = unknown extends B
  ? A
  : A extends ReadonlyArray<infer X>
    ? ReadonlyArray<Exact<X, Extract<B, ReadonlyArray<unknown>>[number]>>
    : A extends object
      ? { [K in keyof A]: K extends KeyOf<Fields<B>> ? Exact<A[K], At<Fields<B>, K>> : never }
      : A

/**
 * Returns a function whose result has exactly the fields of `B`. The compiler finds a missing field
 * by itself. An extra field in a spread, which it accepts elsewhere, does not compile here.
 */
export const exactly =
  <B>() =>
  <Given extends ReadonlyArray<unknown>, A extends B>(
    make: (...given: Given) => A & Exact<A, B>,
  ): ((...given: Given) => B) =>
    make
