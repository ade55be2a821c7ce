import { fileOnWire, storeFile } from '../files.ts';
import { type ApiJson, isObject } from '../json.ts';
import { putMessage } from '../state.ts';
import { type Call, count, json, type Method, needText, PlatformError, text } from './call.ts';
import { emptyMessage, tell, threadOf, writableChannel } from './chat.ts';

/** A file is announced, sent to an address of its own, and then shown in a thread. */

export const getUploadAddress: Method = (call) => {
  const name = needText(call, 'filename');
  if ((count(call, 'length') ?? 0) === 0) throw new PlatformError('invalid_arguments', ['[ERROR] length is needed']);
  const { id } = storeFile(call.state, call.address, { name, content: '' });
  return { upload_url: `${call.address}/upload/${id}`, file_id: id };
};

export const completeUpload: Method = (call) => {
  const listed = json(call, 'files');
  if (!Array.isArray(listed) || listed.length === 0) throw new PlatformError('invalid_arguments');
  const files = listed.map((entry: ApiJson) => completed(call, entry));
  if (text(call, 'channel_id') !== undefined) {
    const channel = writableChannel(call, 'channel_id');
    const message = putMessage(call.state, {
      ...emptyMessage(channel.id, call.state.nextTs()),
      ...threadOf(call, channel),
      text: text(call, 'initial_comment') ?? '',
      files,
    });
    tell(call, message);
  }
  return { files: files.map(({ id, name, title }) => ({ id, name, title })) };
};

export const fileInfo: Method = (call) => {
  const file = call.state.files.get(needText(call, 'file'));
  if (file === undefined) throw new PlatformError('file_not_found');
  return { file: fileOnWire(file) };
};

function completed(call: Call, entry: ApiJson) {
  const id = isObject(entry) && typeof entry.id === 'string' ? entry.id : '';
  const file = call.state.files.get(id);
  if (file === undefined) throw new PlatformError('file_not_found');
  const title = isObject(entry) && typeof entry.title === 'string' ? entry.title : file.title;
  const named = { ...file, title };
  call.state.files.set(id, named);
  return named;
}
