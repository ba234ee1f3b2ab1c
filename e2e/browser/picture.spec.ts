import { expect, test } from './support/window';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a picture is chosen, pasted or dropped, goes with the message and stays in every later request', async ({ w }) => {
  w.forgiven.push(/no PNG/);
  await w.open();
  await w.demo();
  const before = await w.rows();
  await expect(w.get('attach')).toHaveAccessibleName(/Attach pictures/);
  const chooser = w.page.waitForEvent('filechooser');
  await w.get('attach').press('Enter');
  const file = (name: string, text: Buffer) => ({ name, mimeType: 'image/png', buffer: text });
  await (await chooser).setFiles([file('chosen.png', Buffer.from(PNG, 'base64')), file('words.png', Buffer.from('words'))]);
  await expect(w.get('attached').locator('li')).toHaveCount(1);
  await expect(w.get('attached')).toContainText('chosen.png');
  await expect(w.get('attached').locator('img')).toHaveAttribute('src', /^data:image\/png/);
  await expect(w.get('toast')).toContainText('words.png: it is no PNG');
  for (const kind of ['paste', 'drop'] as const) {
    await w.get('composer').evaluate((field, [kind, png]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))], `${kind}.png`, { type: 'image/png' }));
      const init = { bubbles: true, cancelable: true };
      field.dispatchEvent(kind === 'paste' ? new ClipboardEvent('paste', { ...init, clipboardData: data }) : new DragEvent('drop', { ...init, dataTransfer: data }));
    }, [kind, PNG] as const);
    await expect(w.get('attached')).toContainText(`${kind}.png`);
  }
  await expect(w.get('upload')).toHaveCount(0);
  await w.page.getByRole('button', { name: 'Remove drop.png' }).click();
  await expect(w.get('attached').locator('li')).toHaveCount(2);
  await expect(w.get('send')).toBeDisabled();
  await w.prompt('What are these?');
  await expect.poll(() => w.rows()).toBeGreaterThan(before);
  await w.idle();
  await expect(w.get('attached')).toHaveCount(0);
  const middle = await w.rows();
  await w.prompt('And now?');
  await expect.poll(() => w.rows()).toBeGreaterThan(middle);
  await w.idle();
  const session = (await w.call<{ current: string }>('Snapshot')).current;
  for (let n = before + 1; n <= (await w.rows()); n++) {
    const body = (await w.call<{ text: string }>('Body', { session, n }, 0)).text;
    expect(body.split(`"data:image/png;base64,${PNG}"`).length - 1).toBe(2);
  }
  await w.select(before + 1);
  await expect(w.get('pane-history').getByTestId('pictures').last()).toHaveText('Picture, PNG, 70 BPicture, PNG, 70 B');
  await expect(w.get('pane-history').locator('img')).toHaveCount(0);
  await expect(w.get('statusbar')).not.toContainText('violation');
});
