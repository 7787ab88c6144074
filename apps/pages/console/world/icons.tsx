const PATHS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 4.5h3.5v15H7zM13.5 4.5H17v15h-3.5z",
  step: "M5 4.5v15l9-7.5zM16 4.5h3v15h-3z",
  end: "M3 4.5v15l7.5-7.5zM11 4.5v15l7.5-7.5zM19 4.5h2v15h-2z",
  fault: "M13.5 2 5 13.5h5.5L9 22l9.5-12.5H13z",
  broken: "M12 2.5 22.5 21h-21zM11 9v6h2V9zm0 7.5v2h2v-2z",
  file: "M12 3v9.2l3.6-3.6L17 10l-5 5-5-5 1.4-1.4 2.6 2.6V3zM5 18h14v2H5z",
  close:
    "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4L12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
  dice:
    "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z" +
    "m2.5 3a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm4.5 4.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z" +
    "m4.5 4.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
} as const

/** A picture next to words with the same meaning. */
export const Icon = ({ name }: { readonly name: keyof typeof PATHS }) => (
  <svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
    <path d={PATHS[name]} fill="currentColor" fill-rule="evenodd" />
  </svg>
)
