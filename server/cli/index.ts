import { runLine } from './run.ts'

// Whoever reads may have seen enough, as in `filigree users ls | head -1`; nobody reading is no reason to stop serving.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

if (!(await runLine(process.argv.slice(2)))) process.exitCode = 1
