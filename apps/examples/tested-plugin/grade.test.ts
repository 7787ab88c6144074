import { execFile } from "node:child_process"
import type { AddressInfo } from "node:net"
import { promisify } from "node:util"
import { test } from "vitest"
import { serve } from "./receiver.ts"

test("our receiver passes the grader", { timeout: 60_000 }, async () => {
  const url = `http://127.0.0.1:${(serve("whsec_own").address() as AddressInfo).port}`
  const args = ["grade", "receiver", url, "--secret", "whsec_own", "--effects", url]
  await promisify(execFile)("payport", args)
})
