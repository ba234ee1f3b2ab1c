// Sentences that the front end itself refuses with, where no language is at hand: written in English, recognised and
// said in the window's language like those of the program.
export const OWN = {
  'own.silent': 'The program does not answer. It may have ended; start it again and open the address it prints.',
  'own.refused': 'The program refused this ({status:d}).',
  'own.unconnected': 'The window is not connected yet.',
  'own.bindings': 'The window’s bindings are missing. Start the program again.',
  'own.copy': 'The browser refused to copy.',
  'own.hole': 'The program sent a timeline with a hole in it; reload the window.',
  'own.picture.nowhere': 'A picture goes with a message to the agent; none can be written in this session.',
  'own.picture.gone': 'Another session was opened meanwhile; the pictures were not added to it.',
  'own.picture.unread': 'The picture could not be read.',
  'own.request': 'No request is shown.',
} as const;
