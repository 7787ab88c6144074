/**
 * The flags of V8 for a service on a machine that it shares with its database; `README.md` says
 * why. Most of them take effect only if the process is started with them.
 */
export const V8_FLAGS: ReadonlyArray<string> = [
  "--max-semi-space-size=32",
  "--min-semi-space-size=32",
  "--heap-growing-percent=40",
  "--no-parallel-scavenge",
  "--no-minor-gc-task",
  "--no-allocation-site-pretenuring",
]
