import type { McpAddress } from "../shared/Neighbours.ts"
import { MARKET, SERVICES } from "./doors.ts"

/** The revisions that every address supports. The library that defines them is loaded later. */
const VERSIONS = ["2026-07-28", "2025-11-25"]

/** The addresses of tools, one per line. */
export const ADDRESSES: ReadonlyArray<McpAddress> = [
  {
    path: MARKET.path,
    title: "payport",
    description:
      "Ten tools that find, compare and pay any service, and look after what was bought.",
    versions: VERSIONS,
  },
  {
    path: SERVICES.path,
    title: "payport",
    description: "A tool for each way to pay an active service: once, or by a plan.",
    versions: VERSIONS,
  },
]
