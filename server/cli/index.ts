import { runLine } from './run.ts'

// A reader may close the pipe, as in `filigree users ls | head -1`; this must not stop a server.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

if (!(await runLine(process.argv.slice(2)))) process.exitCode = 1
