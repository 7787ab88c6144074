import { writeFile } from "node:fs/promises"
import type { Bench, Running } from "../Bench.ts"
import { type CpuProfile, Inspector } from "./Inspector.ts"

/** Keeps a profile of the service while something is measured, where one is asked for. */
export const profiled = async <A>(
  { options }: Bench,
  { service }: Running,
  work: () => Promise<A>,
): Promise<{ readonly result: A; readonly profile: CpuProfile | undefined }> => {
  if (options.profile === undefined || service.inspector === undefined) {
    return { result: await work(), profile: undefined }
  }
  const inspector = await Inspector.open(service.inspector)
  await inspector.start()
  const result = await work()
  const profile = await inspector.stop()
  await writeFile(options.profile, JSON.stringify(profile))
  return { result, profile }
}
