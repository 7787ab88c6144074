/** Icons of the wallet, in the colour of the text beside them. */
const PATHS = {
  back: "M15 5l-7 7 7 7",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2",
  cross: "M6 6l12 12M18 6L6 18",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15 9.5h.01",
  repeat: "M4 11a8 8 0 0 1 14-4.5L20 9M20 4v5h-5M20 13a8 8 0 0 1-14 4.5L4 15M4 20v-5h5",
  tick: "M5 12.5l4.5 4.5L19 7.5",
} as const

/** The names of the icons. */
export type IconName = keyof typeof PATHS

/** One icon, hidden from screen readers. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
)
