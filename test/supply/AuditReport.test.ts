import { describe, expect, test } from "vitest"
import { judge } from "./AuditReport.ts"

const report = (vulnerabilities: object, counts: object) =>
  JSON.stringify({
    vulnerabilities,
    metadata: { vulnerabilities: counts, dependencies: { total: 7 } },
  })

const none = { info: 0, low: 0, moderate: 0, high: 0, critical: 0 }

describe("an answer about advisories", () => {
  test.each<[string, string, object]>([
    ["without any", report({}, none), { type: "clean", packages: 7 }],
    [
      "with minor ones",
      report({ koa: { severity: "low", range: "<3" } }, { ...none, low: 1 }),
      { type: "clean", packages: 7 },
    ],
    [
      "with a grave one",
      report({ koa: { severity: "high", range: "<3" } }, { ...none, high: 1 }),
      { type: "affected", lines: ["koa <3: high"] },
    ],
    [
      "with a grave one that it does not name",
      report({}, { ...none, critical: 1 }),
      { type: "affected", lines: [] },
    ],
    [
      "of a mirror without advisories",
      JSON.stringify({ message: "405 Method Not Allowed", method: "POST" }),
      { type: "unknown", reason: "405 Method Not Allowed" },
    ],
    ["that is empty", "", { type: "unknown", reason: "no report" }],
    ["that is no report", "[]", { type: "unknown", reason: "no report" }],
    ["that is cut off", '{"metadata":', { type: "unknown", reason: "no report" }],
  ])("%s", (_, text, expected) => {
    expect(judge(text)).toEqual(expected)
  })
})
