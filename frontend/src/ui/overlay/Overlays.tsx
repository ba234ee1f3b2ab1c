import { useApp } from '../../state/store';
import { HandForm } from './HandForm';
import { HelpSheet } from './HelpSheet';
import { Palette } from './Palette';
import { DeleteSession, NewSessionForm, RenameSession } from './SessionDialogs';
import { TextDialog } from './TextDialog';

export function Overlays() {
  const overlay = useApp((s) => s.overlay);
  switch (overlay?.kind) {
    case 'help': return <HelpSheet />;
    case 'palette': return <Palette />;
    case 'text': return <TextDialog opened={overlay.opened} />;
    case 'hand': return <HandForm tool={overlay.tool} />;
    case 'rename': return <RenameSession id={overlay.session} />;
    case 'delete': return <DeleteSession id={overlay.session} />;
    case 'new': return <NewSessionForm />;
    default: return null;
  }
}
