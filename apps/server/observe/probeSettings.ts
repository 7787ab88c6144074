import { Effect } from "effect"
import { HOST, parseHost, parsePort, read, variable } from "../variables.ts"

/** Where the probe listener is, and whether it was set explicitly; port undefined for none. */
export interface Probes {
  readonly host: string
  readonly port: number | "off" | undefined
}

/** The default port of the probes of a worker without another listener. */
const USUAL_PORT = 4021

/** The variables of the probe listener, for the help. */
export const probeVariables = {
  probe_port: variable(
    "PAYPORT_PROBE_PORT",
    "a port from 0 to 65535 for health and metrics alone, or off",
    `unset: ${USUAL_PORT}, if it is free, for a worker that listens nowhere else`,
    (text) => (text === "off" ? text : parsePort(text)),
  ),
  probe_host: variable("PAYPORT_PROBE_HOST", HOST, "127.0.0.1", parseHost),
}

/** Reads where the probe listener is. */
export const readProbes = Effect.gen(function* () {
  const probes: Probes = {
    port: yield* read(probeVariables.probe_port),
    host: (yield* read(probeVariables.probe_host)) ?? "127.0.0.1",
  }
  return probes
})

/** The other listeners of the process. */
export interface Listeners {
  readonly api: boolean
  readonly admin: boolean
}

/**
 * Returns the probe listener that a process has besides its others: the configured one, otherwise a
 * worker's default one, which is left out if its port is taken. If operators have their own
 * listener, only that one serves metrics.
 */
export const probeListener = ({ host, port }: Probes, { admin, api }: Listeners) => {
  if (port === "off" || (port === undefined && (api || admin))) return undefined
  return {
    host,
    port: port ?? USUAL_PORT,
    part: admin ? ("health" as const) : ("probes" as const),
    isWanted: port !== undefined,
  }
}
