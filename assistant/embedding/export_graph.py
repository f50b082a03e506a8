"""The model as torch has it, the same in fewer operators, and its way into an ONNX graph. For the exporter only."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.errors import EmbeddingModelError
from assistant.embedding.manifest import OUTPUT_NAME

if TYPE_CHECKING:
    from torch import Tensor, nn

_log = logging.getLogger(__name__)

_LONGEST = 512
_HIDDEN = -1e9


def load_pooled_model(folder: Path) -> nn.Module:
    """The transformer in `folder` with mean pooling and L2 normalisation behind it.

    Called with `input_ids` and `attention_mask`, int64 of shape (texts, tokens); returns float32 of shape
    (texts, dimension).

    Raises:
        EmbeddingModelError: torch or transformers is not installed.
    """
    try:
        import torch
        from transformers import AutoModel
    except ImportError as exc:
        raise EmbeddingModelError(
            "The packages that prepare the embedding model are not installed.", detail=str(exc)
        ) from exc

    class Pooled(torch.nn.Module):
        def __init__(self, transformer: nn.Module) -> None:
            super().__init__()
            self.transformer = transformer

        def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
            states = self.transformer(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            return _mean_of_unit_length(states, attention_mask)

    transformer = AutoModel.from_pretrained(
        folder,
        local_files_only=True,
        use_safetensors=True,
        # Plain operators: the fused attention of torch leaves NaN guards and copies of masks in the graph.
        attn_implementation="eager",
        dtype=torch.float32,
    )
    return Pooled(transformer).eval()


def lean_model(pooled: nn.Module) -> nn.Module:
    """The same function in a third fewer operators, which makes one short text a tenth faster.

    Tokens of all texts lie in one matrix, so that each linear layer is one Gemm with its bias; query, key and value
    come from one of them, with the attention's 1/sqrt(size of a head) in the weights. A transformer of another
    make than BERT is returned as it is.
    """
    try:
        return _lean_bert(pooled)
    except AttributeError as exc:
        _log.warning("the embedding model is exported as it is: %s", exc)
        return pooled


def write_graph(model: nn.Module, path: Path) -> str:
    """Export `model` to an ONNX file, its weights to a second one beside it; returns the exporter's name."""
    import torch

    # Sizes 0 and 1 would be taken as constants of the graph; 3 texts of 17 ids stand for any number.
    ids = torch.arange(3 * 17).reshape(3, 17) + 1000
    mask = torch.ones_like(ids)
    mask[1, 9:] = 0
    batch, tokens = torch.export.Dim("batch", min=1), torch.export.Dim("tokens", min=2, max=_LONGEST)
    shape = {0: batch, 1: tokens}
    program = torch.onnx.export(
        model,
        (ids, mask),
        dynamo=True,
        dynamic_shapes={"input_ids": shape, "attention_mask": shape},
        input_names=["input_ids", "attention_mask"],
        output_names=[OUTPUT_NAME],
        verbose=False,
    )
    if program is None:
        raise EmbeddingModelError("The exporter gave no model.")
    # Weights in a file of their own are mapped into memory, not read: loading is faster and takes half.
    program.save(path, external_data=True)
    _strip_traces(path)
    return f"torch {torch.__version__}"


def _mean_of_unit_length(states: Tensor, attention_mask: Tensor) -> Tensor:
    from torch.nn.functional import normalize

    weight = attention_mask.unsqueeze(-1).to(states.dtype)
    return normalize((states * weight).sum(dim=1) / weight.sum(dim=1).clamp(min=1e-9), dim=-1)


def _lean_bert(pooled: Any) -> nn.Module:
    import torch

    class LeanLayer(torch.nn.Module):
        def __init__(self, layer: Any, heads: int) -> None:
            super().__init__()
            own = layer.attention.self
            width = own.query.weight.shape[0]
            scale = (width // heads) ** -0.5
            self.heads, self.width = heads, width
            self.weight = torch.cat([own.query.weight * scale, own.key.weight, own.value.weight]).t()
            self.bias = torch.cat([own.query.bias * scale, own.key.bias, own.value.bias])
            self.mix, self.mix_norm = layer.attention.output.dense, layer.attention.output.LayerNorm
            self.widen, self.activation = layer.intermediate.dense, layer.intermediate.intermediate_act_fn
            self.narrow, self.norm = layer.output.dense, layer.output.LayerNorm

        def forward(self, rows: Tensor, hidden: Tensor, texts: int, tokens: int) -> Tensor:
            query, key, value = torch.addmm(self.bias, rows, self.weight).chunk(3, dim=1)
            split = (texts, tokens, self.heads, self.width // self.heads)
            query, value = query.reshape(split).transpose(1, 2), value.reshape(split).transpose(1, 2)
            attention = torch.softmax(query @ key.reshape(split).permute(0, 2, 3, 1) + hidden, dim=-1)
            seen = (attention @ value).transpose(1, 2).reshape(texts * tokens, self.width)
            rows = self.mix_norm(self.mix(seen) + rows)
            return self.norm(self.narrow(self.activation(self.widen(rows))) + rows)  # type: ignore[no-any-return]

    class LeanBert(torch.nn.Module):
        def __init__(self, transformer: Any) -> None:
            super().__init__()
            parts, heads = transformer.embeddings, transformer.config.num_attention_heads
            self.words, self.norm = parts.word_embeddings, parts.LayerNorm
            self.places = parts.position_embeddings.weight + parts.token_type_embeddings.weight[0]
            self.layers = torch.nn.ModuleList(LeanLayer(layer, heads) for layer in transformer.encoder.layer)

        def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
            texts, tokens = input_ids.shape
            states = self.norm(self.words(input_ids) + self.places[:tokens])
            hidden = ((1 - attention_mask) * _HIDDEN)[:, None, None, :]
            rows = states.reshape(texts * tokens, -1)
            for layer in self.layers:
                rows = layer(rows, hidden, texts, tokens)
            return _mean_of_unit_length(rows.reshape(texts, tokens, -1), attention_mask)

    with torch.no_grad():
        return LeanBert(pooled.transformer).eval()


def _strip_traces(path: Path) -> None:
    """Drop the notes of the exporter: half a megabyte of stack traces with the paths of this computer."""
    import onnx

    model = onnx.load(str(path), load_external_data=False)
    del model.metadata_props[:]
    graph = model.graph
    for part in (graph, *graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer):
        del part.metadata_props[:]
        part.doc_string = ""
    onnx.save(model, str(path))
