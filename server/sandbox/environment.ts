/** Default search path. */
const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Variables of the host that a user's command receives; all others may be secrets. */
const HARMLESS = /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR)$/
/** Settings of this server, including the passwords of the first administrator and of the database. */
const OWN = /^(?:(?:FILIGREE|FB)_|PGPASS)/i
const NAME = /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g

/** Variables of a process, by name. */
export type Environment = Readonly<Record<string, string>>

/** The environment of a program that a user started: a short list, without the host's secrets. */
export function bareEnvironment(host: Environment): Environment {
  return programEnvironment(Object.entries(host).filter(([name]) => HARMLESS.test(name)))
}

/** The environment of a program of the host (http-api 17): the server's own, without its settings. */
export function hostEnvironment(host: Environment): Environment {
  return programEnvironment(Object.entries(host).filter(([name]) => !OWN.test(name)))
}

/**
 * Only absolute folders of `PATH` are searched: with an empty or relative one, an uploaded file could be run as a
 * program.
 */
function programEnvironment(entries: [string, string][]): Environment {
  const environment = Object.fromEntries(entries)
  const folders = (environment.PATH ?? '').split(':').filter(folder => folder.startsWith('/'))
  return { ...environment, PATH: folders.join(':') || USUAL_PATH }
}

/**
 * Substitutes `$NAME` and `${NAME}`; unknown variables are empty. Values are not expanded again, and an argument stays
 * one argument, whatever its variables contain.
 */
export function expandVariables(argument: string, variables: Environment): string {
  return argument.replace(NAME, (_whole, braced?: string, bare?: string) => variables[braced ?? bare ?? ''] ?? '')
}
