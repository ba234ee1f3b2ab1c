import { useApp } from '../../state/store';
import { EndToEndDialog } from '../drawer/EndToEndTab';
import { BaselineDialog, CompareSessions } from './CompareSessions';
import { ExportDialog } from './ExportDialog';
import { HandForm } from './HandForm';
import { HelpSheet } from './HelpSheet';
import { Palette } from './Palette';
import { KeysDialog } from './KeysDialog';
import { NewSessionForm } from './NewSession';
import { ProxyDialog } from './ProxyDialog';
import { SearchDialog } from './SearchDialog';
import { CompactSession, DeleteSession, RenameSession } from './SessionDialogs';
import { SettingsDialog } from './SettingsDialog';
import { TextDialog } from './TextDialog';
import { TrashDialog } from './TrashDialog';

export function Overlays() {
  const overlay = useApp((s) => s.overlay);
  switch (overlay?.kind) {
    case 'help': return <HelpSheet />;
    case 'palette': return <Palette />;
    case 'text': return <TextDialog opened={overlay.opened} />;
    case 'hand': return <HandForm tool={overlay.tool} />;
    case 'rename': return <RenameSession id={overlay.session} />;
    case 'delete': return <DeleteSession id={overlay.session} />;
    case 'settings': return <SettingsDialog key={overlay.session} id={overlay.session} />;
    case 'compact': return <CompactSession id={overlay.session} />;
    case 'export': return <ExportDialog key={overlay.session} id={overlay.session} />;
    case 'compare': return <CompareSessions key={overlay.session} id={overlay.session} />;
    case 'baseline': return <BaselineDialog key={overlay.session} id={overlay.session} />;
    case 'proxy': return <ProxyDialog />;
    case 'e2e': return <EndToEndDialog />;
    case 'search': return <SearchDialog />;
    case 'trash': return <TrashDialog />;
    case 'keys': return <KeysDialog />;
    case 'new': return <NewSessionForm />;
    default: return null;
  }
}
