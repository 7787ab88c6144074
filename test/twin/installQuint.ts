import { join } from "node:path"
import { installedTool, installTool, type Tool } from "../support/installTool.ts"

/** 79 packages and 44 MB, for one check. */
const QUINT: Tool = {
  name: "twin",
  pinned: join(import.meta.dirname, "tool"),
  provides: "@informalsystems/quint",
}

/** The folder of the installed Quint; undefined where `npm run twin` has not installed it yet. */
export const installedQuint = (): string | undefined => installedTool(QUINT)

/** Installs Quint as `tool/package-lock.json` pins it, unless it is there. */
export const installQuint = (): Promise<string> => installTool(QUINT)
