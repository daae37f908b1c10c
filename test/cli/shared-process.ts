import { runLine } from '../../server/cli/run.ts'

/** A command for the shared process. */
export interface Line {
  cwd: string
  args: readonly string[]
}

// The program of `shareProcess`: runs one command after the other, and reports the result and output of each.
process.on('message', (line: Line) => void act(line))

async function act({ cwd, args }: Line): Promise<void> {
  process.chdir(cwd)
  process.env.HOME = cwd
  const [out, err] = [hear(process.stdout), hear(process.stderr)]
  const succeeded = await runLine(args)
  const code = succeeded ? Number(process.exitCode ?? 0) : 1
  process.exitCode = 0
  process.send?.({ code, out: out.join(''), err: err.join('') })
}

/** Captures output from now on. */
function hear(stream: NodeJS.WriteStream): string[] {
  const said: string[] = []
  stream.write = (chunk: Uint8Array | string) => {
    said.push(chunk.toString())
    return true
  }
  return said
}
