/** Where programs are looked for when the host says nothing. */
const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** What a command of a user is told of the host; everything else may be a secret. */
const HARMLESS = /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR)$/
/** Settings of this server, with the passwords of the first administrator and of the database. */
const OWN = /^(?:(?:FILIGREE|FB)_|PGPASS)/i
const NAME = /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g

/** Variables of a process, by name. */
export type Environment = Readonly<Record<string, string>>

/** The environment of a program that a user started: a short list (never what the host keeps there in secret). */
export function bareEnvironment(host: Environment): Environment {
  return programEnvironment(Object.entries(host).filter(([name]) => HARMLESS.test(name)))
}

/** The environment of a program of the host (http-api 17): what the server has, less the server's own settings. */
export function hostEnvironment(host: Environment): Environment {
  return programEnvironment(Object.entries(host).filter(([name]) => !OWN.test(name)))
}

/**
 * Programs are looked for in absolute folders only: with an empty or relative one in `PATH`, a file that somebody
 * uploaded could pass for a program.
 */
function programEnvironment(entries: [string, string][]): Environment {
  const environment = Object.fromEntries(entries)
  const folders = (environment.PATH ?? '').split(':').filter(folder => folder.startsWith('/'))
  return { ...environment, PATH: folders.join(':') || USUAL_PATH }
}

/**
 * Puts variables in the place of `$NAME` and `${NAME}`; unknown ones are empty. What was put in is not looked at again,
 * and an argument stays one argument, whatever its variables hold.
 */
export function expandVariables(argument: string, variables: Environment): string {
  return argument.replace(NAME, (_whole, braced?: string, bare?: string) => variables[braced ?? bare ?? ''] ?? '')
}
