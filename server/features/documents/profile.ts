/** The value of a setting of LibreOffice. */
const setting = (path: string, name: string, value: string) =>
  `<item oor:path="/org.openoffice.Office.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`

/** Settings of LibreOffice: no macros, no updates of links, no search for updates of the program. */
const PROFILE = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
  setting('Common/Security/Scripting', 'MacroSecurityLevel', '3'),
  setting('Common/Security/Scripting', 'DisableMacrosExecution', 'true'),
  setting('Common/Security/Scripting', 'DisableActiveContent', 'true'),
  setting('Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'),
  setting('Writer/Content/Update', 'Link', '2'),
  setting('Calc/Content/Update', 'Link', '2'),
  '</oor:items>',
].join('')

/**
 * A script for `sh` that converts the document in its standard input, of the format whose extension is its argument, to
 * a PDF in its standard output. The name of the document never reaches it. Each run has a profile of its own: runs that
 * share one exclude each other.
 */
export const CONVERT = `set -e
mkdir -p /tmp/profile/user /tmp/out
printf %s '${PROFILE}' >/tmp/profile/user/registrymodifications.xcu
cat >"/tmp/in.$1"
soffice --headless --norestore --nologo --nolockcheck --nodefault -env:UserInstallation=file:///tmp/profile \\
  --convert-to pdf --outdir /tmp/out "/tmp/in.$1" >/dev/null 2>&1
exec cat /tmp/out/in.pdf
`
