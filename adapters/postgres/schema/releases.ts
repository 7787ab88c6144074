/** The last schema step of each release, the newest release last. */
export const RELEASES: ReadonlyArray<{ readonly version: string; readonly step: number }> = [
  { version: "0.1.0", step: 1 },
]
