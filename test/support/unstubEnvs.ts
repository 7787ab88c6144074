import { afterAll, vi } from "vitest"

// Vitest takes back variables of the environment before the next test only, which may be later than
// the next file of the process has read them or started a program.
afterAll(() => vi.unstubAllEnvs())
