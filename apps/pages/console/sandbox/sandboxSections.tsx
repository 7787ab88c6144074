import type { Section } from "../sections.tsx"
import { WorldPage } from "../world/WorldPage.tsx"
import { ChannelFaults } from "./Faults.tsx"
import { Play } from "./Play.tsx"

const SANDBOX = { group: "Sandbox", roles: ["seller", "buyer"], mode: "sandbox" } as const

/** The sections that only a sandbox has. */
export const SANDBOX_SECTIONS: ReadonlyArray<Section> = [
  { ...SANDBOX, name: "Play", path: "/play", show: () => <Play /> },
  { ...SANDBOX, name: "Faults", path: "/faults", show: () => <ChannelFaults /> },
  {
    ...SANDBOX,
    name: "Simulated world",
    path: "/world",
    roles: ["seller", "buyer", "operator"],
    show: () => <WorldPage />,
  },
]
