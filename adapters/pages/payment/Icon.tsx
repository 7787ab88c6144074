const PATHS = {
  good: "M7 12.5l3.2 3.2L17 9",
  bad: "M8 8l8 8M16 8l-8 8",
  wait: "M12 7v5l3 2",
} as const

/** An icon beside a title, with the same meaning. */
export const Icon = ({ kind }: { readonly kind: keyof typeof PATHS }) => (
  <svg class={`icon ${kind}`} viewBox="0 0 24 24" width="56" height="56" aria-hidden="true">
    <circle cx="12" cy="12" r="11" />
    <path d={PATHS[kind]} />
  </svg>
)
