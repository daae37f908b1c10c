import { describeSettings } from '../config.ts'

/** Prints what the program does and every setting of the host. */
export async function help(): Promise<void> {
  console.log(
    [
      'Filigree serves a folder on the web.',
      '',
      'Usage: filigree [command] [flags]',
      '',
      'Commands:',
      '  serve      Serve a folder (this happens without a command, too)',
      '  version    Print the version',
      '  help       Print this text',
      '',
      'Flags:',
      ...describeSettings(),
    ].join('\n'),
  )
}
